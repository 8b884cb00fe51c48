//! Types.

use super::{Lifetimes, Unclear, Writer};
use rustdoc_types::{
    AssocItemConstraint, AssocItemConstraintKind, DynTrait, FunctionPointer, GenericArg, GenericArgs, Id,
    Path, Term, Type,
};

impl Writer<'_> {
    /// A type.
    pub(crate) fn ty(&mut self, ty: &Type) -> Result<String, Unclear> {
        Ok(match ty {
            Type::ResolvedPath(path) => self.path(path)?,
            Type::DynTrait(dynamic) => self.dynamic(dynamic)?,
            Type::Generic(name) if name == "Self" => self.this.clone(),
            Type::Primitive(name) if name == "never" => "!".to_owned(),
            Type::Generic(name) | Type::Primitive(name) => name.clone(),
            Type::FunctionPointer(pointer) => self.pointer(pointer)?,
            Type::Tuple(types) => self.tuple(types)?,
            Type::Slice(ty) => format!("[{}]", self.ty(ty)?),
            Type::Array { type_, len } => format!("[{}; {len}]", self.ty(type_)?),
            Type::ImplTrait(bounds) => format!("impl {}", self.bounds(bounds)?),
            Type::Infer => "_".to_owned(),
            Type::RawPointer { is_mutable, type_ } => {
                format!("*{} {}", if *is_mutable { "mut" } else { "const" }, self.ty(type_)?)
            }
            Type::BorrowedRef { lifetime, is_mutable, type_ } => {
                let lifetime = match lifetime.as_deref() {
                    None | Some("'_") => self.lifetimes.next(),
                    Some(name) => Some(name.to_owned()),
                };
                let lifetime = lifetime.map(|it| it + " ").unwrap_or_default();
                let of = self.ty(type_)?;
                // `&dyn A + B` would be ambiguous.
                let of = if of.contains(" + ") && !of.ends_with('>') { format!("({of})") } else { of };
                format!("&{lifetime}{}{of}", if *is_mutable { "mut " } else { "" })
            }
            Type::QualifiedPath { name, args, self_type, trait_ } => {
                let this = self.ty(self_type)?;
                let of = trait_.as_ref().map(|it| self.path(it)).transpose()?;
                let args = self.arguments(args.as_deref(), None)?;
                match of.filter(|it| !it.is_empty()) {
                    Some(of) => format!("<{this} as {of}>::{name}{args}"),
                    None => format!("{this}::{name}{args}"),
                }
            }
            Type::Pat { .. } => return Err(Unclear("a pattern type".to_owned())),
        })
    }

    /// Types in parentheses.
    pub(crate) fn tuple(&mut self, types: &[Type]) -> Result<String, Unclear> {
        let types = types.iter().map(|it| self.ty(it)).collect::<Result<Vec<_>, _>>()?;
        Ok(match types.as_slice() {
            [only] => format!("({only},)"),
            _ => format!("({})", types.join(", ")),
        })
    }

    /// A path with its arguments.
    pub(crate) fn path(&mut self, path: &Path) -> Result<String, Unclear> {
        let name = self.names.path(path.id, &path.path)?;
        Ok(format!("{name}{}", self.arguments(path.args.as_deref(), Some(path.id))?))
    }

    /// The arguments of an item, in brackets, or as those of `Fn`.
    fn arguments(&mut self, arguments: Option<&GenericArgs>, of: Option<Id>) -> Result<String, Unclear> {
        match arguments {
            Some(GenericArgs::Parenthesized { inputs, output }) => {
                let ((inputs, output), _) = self.with(Lifetimes::Kept, |it| {
                    let inputs = inputs.iter().map(|input| it.ty(input)).collect::<Result<Vec<_>, _>>()?;
                    Ok((inputs, it.output(output.as_ref())?))
                })?;
                Ok(format!("({}){output}", inputs.join(", ")))
            }
            Some(GenericArgs::ReturnTypeNotation) => Err(Unclear("return type notation".to_owned())),
            Some(GenericArgs::AngleBracketed { args, constraints }) => self.bracketed(args, constraints, of),
            None => self.bracketed(&[], &[], of),
        }
    }

    fn bracketed(
        &mut self,
        args: &[GenericArg],
        constraints: &[AssocItemConstraint],
        of: Option<Id>,
    ) -> Result<String, Unclear> {
        let mut parts = Vec::new();
        if !args.iter().any(|it| matches!(it, GenericArg::Lifetime(_))) {
            // Not written at all, as in `Notified` for `Notified<'_>`.
            let count = of.map_or(0, |it| self.names.count_of_lifetimes(it));
            parts.extend((0..count).map(|_| self.lifetimes.next().unwrap_or_else(|| "'_".to_owned())));
        }
        for arg in args {
            parts.push(match arg {
                GenericArg::Lifetime(name) if name == "'_" => {
                    self.lifetimes.next().unwrap_or_else(|| "'_".to_owned())
                }
                GenericArg::Lifetime(name) => name.clone(),
                GenericArg::Type(ty) => self.ty(ty)?,
                GenericArg::Const(constant) => constant.expr.clone(),
                GenericArg::Infer => "_".to_owned(),
            });
        }
        for constraint in constraints {
            let args = self.arguments(constraint.args.as_deref(), None)?;
            let name = &constraint.name;
            parts.push(match &constraint.binding {
                AssocItemConstraintKind::Equality(term) => format!("{name}{args} = {}", self.term(term)?),
                AssocItemConstraintKind::Constraint(bounds) => {
                    format!("{name}{args}: {}", self.bounds(bounds)?)
                }
            });
        }
        Ok(if parts.is_empty() { String::new() } else { format!("<{}>", parts.join(", ")) })
    }

    /// What something is said to be equal to.
    pub(super) fn term(&mut self, term: &Term) -> Result<String, Unclear> {
        match term {
            Term::Type(ty) => self.ty(ty),
            Term::Constant(constant) => Ok(constant.expr.clone()),
        }
    }

    /// `-> T`, or nothing.
    pub(crate) fn output(&mut self, output: Option<&Type>) -> Result<String, Unclear> {
        Ok(output.map(|it| self.ty(it)).transpose()?.map(|it| format!(" -> {it}")).unwrap_or_default())
    }

    fn dynamic(&mut self, dynamic: &DynTrait) -> Result<String, Unclear> {
        let mut parts = Vec::new();
        for of in &dynamic.traits {
            parts.push(format!("{}{}", self.for_all(&of.generic_params)?, self.path(&of.trait_)?));
        }
        parts.extend(dynamic.lifetime.clone());
        Ok(format!("dyn {}", parts.join(" + ")))
    }

    fn pointer(&mut self, pointer: &FunctionPointer) -> Result<String, Unclear> {
        if pointer.header.abi != rustdoc_types::Abi::Rust {
            return Err(Unclear("a pointer to a foreign function".to_owned()));
        }
        let (text, _) = self.with(Lifetimes::Kept, |it| {
            let inputs = pointer.sig.inputs.iter().map(|(_, input)| it.ty(input));
            let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
            Ok(format!("fn({}){}", inputs.join(", "), it.output(pointer.sig.output.as_ref())?))
        })?;
        let unsafety = if pointer.header.is_unsafe { "unsafe " } else { "" };
        Ok(format!("{}{unsafety}{text}", self.for_all(&pointer.generic_params)?))
    }
}
