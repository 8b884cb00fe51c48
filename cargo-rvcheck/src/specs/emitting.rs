//! What properties of one file have to do with each other: they emit events that others take.

use super::Property;
use super::problem::SpecProblem;
use rvcheck_spec::compilation::cycles;
use rvcheck_spec::examine::mentioned;

/// Notes which properties take events that others emit, and tells what is wrong with that.
pub(super) fn connect(text: &str, mut properties: Vec<&mut Property>, problems: &mut Vec<SpecProblem>) {
    let emitted: Vec<Vec<String>> = properties.iter().map(|it| mentioned::emitted(&it.declared)).collect();
    for (index, property) in properties.iter_mut().enumerate() {
        let taken = mentioned::taken(&property.declared);
        let others = emitted.iter().enumerate().filter(|(it, _)| *it != index).flat_map(|(_, names)| names);
        property.is_fed = others.into_iter().any(|it| taken.contains(it));
        if let (true, Some(at)) = (property.is_fed, &property.stop_at) {
            problems.push(SpecProblem {
                file: property.file.clone(),
                span: at.clone(),
                message: "a property that takes emitted events cannot stop the program".to_owned(),
                help: None,
            });
        }
    }
    for (index, problem) in cycles(properties.iter().map(|it| &it.declared)) {
        problems.push(SpecProblem {
            file: properties[index].file.clone(),
            span: properties[index].place(problem.part, problem.span, text),
            message: problem.message,
            help: problem.help,
        });
    }
}
