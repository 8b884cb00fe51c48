//! All texts of a value at once, so that none can be forgotten when it gets another field.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The value with every text in it escaped. What is not serialized is as in a new one.
pub fn every<T: Serialize + DeserializeOwned>(
    value: &T,
    escape: impl Fn(&str) -> Cow<'_, str> + Copy,
) -> serde_json::Result<T> {
    let mut json = serde_json::to_value(value)?;
    walk(&mut json, escape);
    serde_json::from_value(json)
}

fn walk(value: &mut Value, escape: impl Fn(&str) -> Cow<'_, str> + Copy) {
    match value {
        Value::String(text) => {
            let escaped = escape(text).into_owned();
            *text = escaped;
        }
        Value::Array(items) => items.iter_mut().for_each(|it| walk(it, escape)),
        Value::Object(entries) => {
            let old = std::mem::take(entries);
            *entries = old
                .into_iter()
                .map(|(key, mut value)| {
                    walk(&mut value, escape);
                    (escape(&key).into_owned(), value)
                })
                .collect::<Map<_, _>>();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
