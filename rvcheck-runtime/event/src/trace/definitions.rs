//! Definitions: what the ids in the records stand for, read into [`Names`].

use std::collections::BTreeMap;

use super::bytes::u32_at;
use super::format::definition;
use crate::id::{SiteId, StringId, TaskId, ThreadId, UnitId};
use crate::kind::TaskKind;
use crate::names::{Learnt, Names, RecordedSite, Stop, Thread};
use crate::position::CompiledPosition;
use crate::remedy::{Applied, Remedy};

/// The recorder's own numbers of strings, each with the one id of its text.
pub(super) type Strings = BTreeMap<u32, StringId>;

/// Definitions as they are read one after another.
#[derive(Default)]
pub(super) struct Definitions {
    pub(super) names: Names,
    pub(super) strings: Strings,
    pub(super) bad: u64,
}

impl Definitions {
    /// Reads the contents of one chunk.
    pub(super) fn read(&mut self, mut contents: &[u8]) {
        while contents.len() >= 8 {
            let length = u32_at(contents, 0) as usize;
            if length == 0 {
                return;
            }
            let Some(payload) = contents.get(8..).and_then(|it| it.get(..length)) else {
                self.bad += 1;
                return;
            };
            if !define(&mut self.names, &mut self.strings, u32_at(contents, 4), payload) {
                self.bad += 1;
            }
            let size = (8 + length).next_multiple_of(8).min(contents.len());
            contents = &contents[size..];
        }
    }
}

/// Takes in one definition; `false` if it makes no sense.
pub(super) fn define(names: &mut Names, strings: &mut Strings, tag: u32, payload: &[u8]) -> bool {
    let number = |index: usize| u32_at(payload, index * 4);
    let text = |numbers: usize| payload.get(numbers * 4..).map(String::from_utf8_lossy);
    match tag {
        definition::SITE => {
            let Some(file) = text(4) else { return false };
            let position = CompiledPosition::new(number(1), number(2));
            let site = RecordedSite { file: file.into_owned(), position, own: number(3) == 1 };
            names.set_site(SiteId(number(0)), site);
        }
        definition::GROUP => {
            let Some(name) = text(1) else { return false };
            names.set_group(SiteId(number(0)), &name);
        }
        definition::STRING => {
            let Some(text) = text(1) else { return false };
            let id = names.intern(&text);
            strings.insert(number(0), id);
        }
        definition::THREAD => {
            let Some(name) = text(4) else { return false };
            let Some(kind) = u8::try_from(number(3)).ok().and_then(TaskKind::of_bits) else {
                return false;
            };
            let thread =
                Thread { task: TaskId(number(1)), unit: UnitId(number(2)), kind, name: name.into_owned() };
            names.set_thread(ThreadId(number(0)), thread);
        }
        definition::UNIT => {
            let Some(name) = text(1) else { return false };
            names.set_unit(UnitId(number(0)), &name);
        }
        definition::TASK_NAME => {
            let Some(name) = text(1) else { return false };
            names.set_task(TaskId(number(0)), &name);
        }
        definition::STOP => {
            let Some(property) = text(2) else { return false };
            let unit = UnitId(number(0));
            names.add_stop(Stop { unit, ended: number(1) == 1, property: property.into_owned() });
        }
        definition::LEARNT => {
            let (Some(property), Some(remedy)) = (text(5), Remedy::of_number(number(1))) else {
                return false;
            };
            names.add_learnt(Learnt {
                number: number(0),
                remedy,
                places: [SiteId(number(2)), SiteId(number(3))],
                was_known: number(4) == 1,
                property: property.into_owned(),
                applied: Applied::default(),
            });
        }
        definition::APPLIED => {
            let wide = |low: usize| u64::from(number(low)) | u64::from(number(low + 1)) << 32;
            let applied = Applied { times: wide(1), nanos: wide(3), given_up: number(5) };
            return names.set_applied(number(0), applied);
        }
        definition::HANDLED => names.add_handled(TaskId(number(1)), number(0)),
        definition::NOTE => names.add_note(&String::from_utf8_lossy(payload)),
        _ => return false,
    }
    true
}
