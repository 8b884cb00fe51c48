//! What there is to say of an item by its kind.

use super::Lister;
use crate::render::{Parameters, Unclear};
use rustdoc_types::{GenericParamDefKind, Generics, Id, ItemEnum, StructKind, Type, VariantKind};

impl Lister<'_> {
    /// Says what an item is; whether there is more to say than its name.
    pub(super) fn kind(&mut self, path: &str, id: Id) -> bool {
        // Of other crates' items it is enough that they are there.
        let Some(item) = self.krate.index.get(&id) else { return false };
        match &item.inner {
            ItemEnum::Struct(it) => {
                self.ty(path, &it.generics);
                if let StructKind::Plain { fields, .. } = &it.kind {
                    self.fields(path, &it.generics, fields);
                } else if let StructKind::Tuple(fields) = &it.kind {
                    self.tuple_fields(path, &it.generics, fields);
                }
            }
            ItemEnum::Union(it) => self.ty(path, &it.generics),
            ItemEnum::Enum(it) => {
                self.ty(path, &it.generics);
                for variant in &it.variants {
                    self.variant(path, &it.generics, *variant);
                }
            }
            ItemEnum::TypeAlias(it) => {
                self.ty(path, &it.generics);
                let line = self.type_of(path, &it.generics).and_then(|(parameters, ty)| {
                    let of = self.writer("Self").ty(&it.type_)?;
                    Ok(format!("same {ty}: {} {of}{}", parameters.text(), parameters.conditions()))
                });
                self.push(path, line);
            }
            ItemEnum::Function(function) => {
                let line = self.function(path, "Self", &Parameters::default(), function);
                self.push(path, line);
            }
            ItemEnum::Constant { type_, .. } => {
                let line = self.writer("Self").ty(type_).map(|it| format!("const {path}: <> {it}"));
                self.push(path, line);
            }
            ItemEnum::Trait(it) => {
                self.methods(path, it);
                return false;
            }
            _ => return false,
        }
        true
    }

    /// The parameters of a type, and the type with them.
    fn type_of(&self, path: &str, generics: &Generics) -> Result<(Parameters, String), Unclear> {
        let parameters = self.writer(path).parameters(generics)?;
        Ok((parameters, with_arguments(path, generics, None)))
    }

    fn ty(&mut self, path: &str, generics: &Generics) {
        let line = self
            .type_of(path, generics)
            .map(|(parameters, ty)| format!("type {ty}: {}{}", parameters.text(), parameters.conditions()));
        self.push(path, line);
        let defaults = generics.params.iter().any(|it| default(&it.kind).is_some());
        if defaults {
            let line = self.defaults(path, generics);
            self.push(path, line);
        }
    }

    /// What the type is without the parameters that have defaults.
    fn defaults(&self, path: &str, generics: &Generics) -> Result<String, Unclear> {
        let mut given = generics.clone();
        given.params.retain(|it| default(&it.kind).is_none());
        let mut names: Vec<String> = given.params.iter().map(|it| it.name.clone()).collect();
        for param in &generics.params {
            if let Some(default) = default(&param.kind) {
                names.push(self.writer(path).ty(default)?);
            }
        }
        // Conditions that speak of the others do not help to name the type.
        given.where_predicates.clear();
        let parameters = self.writer(path).parameters(&given)?;
        let all = with_arguments(path, generics, Some(&names));
        Ok(format!("same {}: {} {all}", with_arguments(path, &given, None), parameters.text()))
    }

    fn fields(&mut self, path: &str, generics: &Generics, fields: &[Id]) {
        for field in fields {
            let Some(item) = self.krate.index.get(field) else { continue };
            let (ItemEnum::StructField(ty), Some(name)) = (&item.inner, &item.name) else { continue };
            self.field(path, generics, name, ty);
        }
    }

    fn tuple_fields(&mut self, path: &str, generics: &Generics, fields: &[Option<Id>]) {
        for (at, field) in fields.iter().enumerate() {
            let item = field.as_ref().and_then(|it| self.krate.index.get(it));
            let Some(ItemEnum::StructField(ty)) = item.map(|it| &it.inner) else { continue };
            self.field(path, generics, &at.to_string(), ty);
        }
    }

    fn field(&mut self, path: &str, generics: &Generics, name: &str, ty: &Type) {
        let line = self.type_of(path, generics).and_then(|(parameters, of)| {
            let ty = self.writer(path).ty(ty)?;
            Ok(format!("field {of}.{name}: {} {ty}{}", parameters.text(), parameters.conditions()))
        });
        self.push(path, line);
    }

    fn variant(&mut self, path: &str, generics: &Generics, id: Id) {
        let Some(item) = self.krate.index.get(&id) else { return };
        let (ItemEnum::Variant(variant), Some(name)) = (&item.inner, &item.name) else { return };
        let line = self.type_of(path, generics).and_then(|(parameters, of)| {
            let (parameters, conditions) = (parameters.text(), parameters.conditions());
            match &variant.kind {
                VariantKind::Plain => Ok(format!("const <{of}>::{name}: {parameters} {of}{conditions}")),
                VariantKind::Tuple(fields) => {
                    let mut types = Vec::new();
                    for field in fields {
                        let item = field.as_ref().and_then(|it| self.krate.index.get(it));
                        let Some(ItemEnum::StructField(ty)) = item.map(|it| &it.inner) else {
                            return Err(Unclear("it has a hidden field".to_owned()));
                        };
                        types.push(self.writer(path).ty(ty)?);
                    }
                    let types = types.join(", ");
                    Ok(format!("const fn <{of}>::{name}: {parameters}({types}) -> {of}{conditions}"))
                }
                VariantKind::Struct { .. } => Err(Unclear("it has fields with names".to_owned())),
            }
        });
        self.push(&format!("{path}::{name}"), line);
    }
}

/// What a parameter is if it is left out.
fn default(kind: &GenericParamDefKind) -> Option<&Type> {
    match kind {
        GenericParamDefKind::Type { default, .. } => default.as_ref(),
        _ => None,
    }
}

/// The type with its parameters as arguments, or with these ones.
fn with_arguments(path: &str, generics: &Generics, arguments: Option<&[String]>) -> String {
    let own: Vec<String> = generics.params.iter().map(|it| it.name.clone()).collect();
    let arguments = arguments.unwrap_or(&own);
    if arguments.is_empty() { path.to_owned() } else { format!("{path}<{}>", arguments.join(", ")) }
}
