//! What types have: methods, constants, and traits.

use super::Lister;
use crate::render::{Lifetimes, Parameters, Unclear, Writer};
use rustdoc_types::{Impl, ItemEnum, Path, Type};

impl Lister<'_> {
    pub(super) fn implementation(&mut self, implementation: &Impl) {
        // A trait that is had by everything says nothing of a type.
        if implementation.blanket_impl.is_some() {
            return;
        }
        // Nobody can ask for what nobody can name.
        let Ok((this, parameters)) = self.head(implementation) else { return };
        match &implementation.trait_ {
            // Whether something is dropped in a special way is not for others to ask.
            Some(of) if of.path == "Drop" => {}
            Some(of) => {
                if let Ok(line) = self.has(implementation, of, &this, &parameters) {
                    self.lines.push(line);
                }
            }
            None => self.inherent(implementation, &this, &parameters),
        }
    }

    /// The type, and the parameters of the implementation.
    fn head(&self, implementation: &Impl) -> Result<(String, Parameters), Unclear> {
        let mut writer = self.writer("Self");
        let (this, named) = writer.with(Lifetimes::named('i'), |it| it.ty(&implementation.for_))?;
        writer.this.clone_from(&this);
        let (mut parameters, more) =
            writer.with(Lifetimes::named('j'), |it| it.parameters(&implementation.generics))?;
        if implementation.is_synthetic {
            self.add_those_of_the_type(&mut writer, implementation, &mut parameters)?;
        }
        parameters.lifetimes.extend(named.into_names());
        parameters.lifetimes.extend(more.into_names());
        Ok((this, parameters))
    }

    /// Rustdoc does not repeat the conditions of a type where it works out that the type has a trait.
    fn add_those_of_the_type(
        &self,
        writer: &mut Writer<'_>,
        implementation: &Impl,
        parameters: &mut Parameters,
    ) -> Result<(), Unclear> {
        let Type::ResolvedPath(path) = &implementation.for_ else { return Ok(()) };
        let Some(generics) = self.names.generics(path.id) else { return Ok(()) };
        let of_type = writer.parameters(generics)?;
        if of_type.others.len() != parameters.others.len() {
            return Ok(());
        }
        parameters.others = of_type.others;
        // What need not have a size is said among the parameters now.
        for condition in &mut parameters.conditions {
            *condition = condition.replace(" + ?std::marker::Sized", "");
        }
        parameters.conditions.retain(|it| !it.ends_with(": ?std::marker::Sized"));
        parameters.conditions.extend(of_type.conditions);
        Ok(())
    }

    fn has(
        &self,
        implementation: &Impl,
        of: &Path,
        this: &str,
        parameters: &Parameters,
    ) -> Result<String, Unclear> {
        let mut writer = self.writer(this);
        let mut parameters = parameters.clone();
        let (mut name, more) = writer.with(Lifetimes::named('k'), |it| it.path(of))?;
        parameters.lifetimes.extend(more.into_names());
        for item in implementation.items.iter().filter_map(|it| self.krate.index.get(it)) {
            let ItemEnum::AssocType { generics, type_: Some(ty), .. } = &item.inner else { continue };
            if let (true, Some(associated)) = (generics.params.is_empty(), &item.name) {
                let inside =
                    name.strip_suffix('>').map_or_else(|| format!("{name}<"), |it| format!("{it}, "));
                name = format!("{inside}{associated} = {}>", writer.ty(ty)?);
            }
        }
        let kind = if implementation.is_negative { "not" } else { "impl" };
        Ok(format!("{kind} {this}: {} {name}{}", parameters.text(), parameters.conditions()))
    }

    fn inherent(&mut self, implementation: &Impl, this: &str, parameters: &Parameters) {
        for item in implementation.items.iter().filter_map(|it| self.krate.index.get(it)) {
            let Some(name) = &item.name else { continue };
            let path = format!("<{this}>::{name}");
            let line = match &item.inner {
                ItemEnum::Function(function) => self.function(&path, this, parameters, function),
                ItemEnum::AssocConst { type_, .. } => self
                    .writer(this)
                    .ty(type_)
                    .map(|ty| format!("const {path}: {} {ty}{}", parameters.text(), parameters.conditions())),
                _ => continue,
            };
            self.push(&path, line);
        }
    }
}
