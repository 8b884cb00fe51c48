//! Parameters and conditions.

use super::{Unclear, Writer};
use rustdoc_types::{
    GenericBound, GenericParamDef, GenericParamDefKind, Generics, PreciseCapturingArg, TraitBoundModifier,
    WherePredicate,
};

/// The parameters of an item, with those of the implementation around it.
#[derive(Clone, Default)]
pub(crate) struct Parameters {
    /// `'a: 'b`
    pub(crate) lifetimes: Vec<String>,
    /// `T: Bound`, `const N: usize`
    pub(crate) others: Vec<String>,
    /// What follows `where`.
    pub(crate) conditions: Vec<String>,
    /// The names of the last item's types and constants, as they are given between `::<` and `>`.
    pub(crate) arguments: Vec<String>,
}

impl Parameters {
    /// With those of an item inside.
    pub(crate) fn and(&self, inner: Parameters) -> Parameters {
        let mut both = self.clone();
        both.lifetimes.extend(inner.lifetimes);
        both.others.extend(inner.others);
        both.conditions.extend(inner.conditions);
        both.arguments = inner.arguments;
        both
    }

    /// `<…>`, also when it is empty.
    pub(crate) fn text(&self) -> String {
        let all: Vec<&str> = self.lifetimes.iter().chain(&self.others).map(String::as_str).collect();
        format!("<{}>", all.join(", "))
    }

    /// ` where …`, or nothing.
    pub(crate) fn conditions(&self) -> String {
        if self.conditions.is_empty() {
            String::new()
        } else {
            format!(" where {}", self.conditions.join(", "))
        }
    }

    /// `::<…>`, or nothing.
    pub(crate) fn turbofish(&self) -> String {
        if self.arguments.is_empty() { String::new() } else { format!("::<{}>", self.arguments.join(", ")) }
    }
}

impl Writer<'_> {
    /// The parameters of an item, without their defaults.
    pub(crate) fn parameters(&mut self, generics: &Generics) -> Result<Parameters, Unclear> {
        let mut parameters = Parameters::default();
        for param in &generics.params {
            let name = &param.name;
            match &param.kind {
                GenericParamDefKind::Lifetime { outlives } => {
                    parameters.lifetimes.push(with_bounds(name, &outlives.join(" + ")));
                }
                // `impl Trait` among the arguments, where it is written.
                GenericParamDefKind::Type { is_synthetic: true, .. } => {}
                GenericParamDefKind::Type { bounds, .. } => {
                    parameters.others.push(with_bounds(name, &self.bounds(bounds)?));
                    parameters.arguments.push(name.clone());
                }
                GenericParamDefKind::Const { type_, .. } => {
                    parameters.others.push(format!("const {name}: {}", self.ty(type_)?));
                    parameters.arguments.push(name.clone());
                }
            }
        }
        for predicate in &generics.where_predicates {
            parameters.conditions.extend(self.predicate(predicate)?);
        }
        Ok(parameters)
    }

    fn predicate(&mut self, predicate: &WherePredicate) -> Result<Option<String>, Unclear> {
        Ok(match predicate {
            WherePredicate::BoundPredicate { bounds, .. } if bounds.is_empty() => None,
            WherePredicate::BoundPredicate { type_, bounds, generic_params } => {
                let all = self.for_all(generic_params)?;
                Some(format!("{all}{}: {}", self.ty(type_)?, self.bounds(bounds)?))
            }
            WherePredicate::LifetimePredicate { outlives, .. } if outlives.is_empty() => None,
            WherePredicate::LifetimePredicate { lifetime, outlives } => {
                Some(format!("{lifetime}: {}", outlives.join(" + ")))
            }
            WherePredicate::EqPredicate { lhs, rhs } => {
                return Err(Unclear(format!("{} == {}", self.ty(lhs)?, self.term(rhs)?)));
            }
        })
    }

    /// Bounds, with plus signs.
    pub(crate) fn bounds(&mut self, bounds: &[GenericBound]) -> Result<String, Unclear> {
        let mut parts = Vec::new();
        for bound in bounds {
            parts.push(match bound {
                GenericBound::TraitBound { trait_, generic_params, modifier } => {
                    let question = if *modifier == TraitBoundModifier::Maybe { "?" } else { "" };
                    let all = self.for_all(generic_params)?;
                    format!("{question}{all}{}", self.path(trait_)?)
                }
                GenericBound::Outlives(lifetime) if lifetime == "'_" => {
                    self.lifetimes.next().unwrap_or_else(|| "'_".to_owned())
                }
                GenericBound::Outlives(lifetime) => lifetime.clone(),
                GenericBound::Use(captured) => {
                    let captured = captured.iter().map(|it| match it {
                        PreciseCapturingArg::Lifetime(name) | PreciseCapturingArg::Param(name) => {
                            name.as_str()
                        }
                    });
                    format!("use<{}>", captured.collect::<Vec<_>>().join(", "))
                }
            });
        }
        Ok(parts.join(" + "))
    }

    /// `for<'a> `, or nothing.
    pub(super) fn for_all(&mut self, params: &[GenericParamDef]) -> Result<String, Unclear> {
        if params.is_empty() {
            return Ok(String::new());
        }
        let params = Generics { params: params.to_vec(), where_predicates: Vec::new() };
        Ok(format!("for{} ", self.parameters(&params)?.text()))
    }
}

fn with_bounds(name: &str, bounds: &str) -> String {
    if bounds.is_empty() { name.to_owned() } else { format!("{name}: {bounds}") }
}
