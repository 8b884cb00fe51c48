//! Each column says the same of all rows that mean the same, whatever library they are of.

use rvcheck_primitives::{
    Action, Does, Holds, Inert, Is, Leaves, Part, Word, adapters, adapters_named, holds, is_inert, libraries,
    named, operation, owner,
};

/// What the adapters of a name do.
fn does(name: &str) -> Vec<Does> {
    adapters_named(name).iter().map(|it| it.does).collect()
}

#[test]
fn whatever_takes_an_element_out_of_a_collection_says_so() {
    let names =
        ["pop", "pop_front", "pop_back", "pop_first", "pop_last", "remove", "remove_entry", "swap_remove"];
    for name in names {
        let found = does(name);
        assert!(!found.is_empty() && found.iter().all(|it| *it == Does::Takes(Part::Element)), "{name}");
    }
    let queues = ["ArrayQueue", "BinaryHeap", "ConcurrentQueue", "LinkedList", "SegQueue", "Vec", "VecDeque"];
    for queue in queues {
        assert!(adapters().any(|it| it.of == queue && it.does == Does::Takes(Part::Element)), "{queue}");
        assert!(adapters().any(|it| it.of == queue && it.stores.is_some()), "{queue}");
    }
    assert!(does("drain").iter().all(|it| *it == Does::Takes(Part::Elements)));
}

#[test]
fn a_view_is_of_the_whole_of_a_part_or_of_an_element() {
    for name in ["deref", "deref_mut", "as_ref", "as_mut", "as_deref", "borrow", "by_ref", "get_ref"] {
        assert!(does(name).iter().all(|it| *it == Does::Views) && !does(name).is_empty(), "{name}");
    }
    for name in ["entry", "index", "or_insert_with"] {
        assert!(does(name).iter().all(|it| *it == Does::Reaches) && !does(name).is_empty(), "{name}");
    }
    for name in ["get", "first", "front", "back", "peek", "first_key_value"] {
        assert!(does(name).iter().all(|it| *it == Does::Finds) && !does(name).is_empty(), "{name}");
    }
    // Of a pointer the one, of a collection the other.
    assert!(does("get_mut").contains(&Does::Views) && does("get_mut").contains(&Does::Finds));
    for name in ["iter_mut", "keys", "values", "values_mut"] {
        assert!(does(name).contains(&Does::Iterates), "{name}");
    }
}

#[test]
fn what_is_put_in_only_where_nothing_is_leaves_what_is_there() {
    for name in ["get_or_insert", "get_or_insert_with", "or_insert", "or_insert_with"] {
        assert!(adapters_named(name).iter().all(|it| it.keeps_first) && !does(name).is_empty(), "{name}");
    }
    for name in ["insert", "push", "replace"] {
        assert!(adapters_named(name).iter().all(|it| !it.keeps_first) && !does(name).is_empty(), "{name}");
    }
}

#[test]
fn what_is_put_into_a_container_and_what_is_dropped_from_it_are_distinguished() {
    for name in ["clear", "truncate", "retain", "retain_mut", "dedup"] {
        assert!(does(name).iter().all(|it| *it == Does::Empties) && !does(name).is_empty(), "{name}");
    }
    for of in ["Arc", "Box", "Mutex", "Pin", "Rc", "RefCell"] {
        assert!(adapters().any(|it| it.of == of && it.name == "new" && it.does == Does::Wraps), "{of}");
    }
    for name in ["clone", "cloned", "downgrade", "upgrade"] {
        assert!(does(name).iter().all(|it| *it == Does::Shares) && !does(name).is_empty(), "{name}");
    }
}

#[test]
fn an_atomic_says_what_each_operation_leaves() {
    let flags = || libraries().iter().flat_map(|it| it.owners).filter(|it| matches!(it.is, Is::Flag(_)));
    assert!(flags().count() > 10);
    for operation in flags().flat_map(|it| it.operations) {
        let writes = matches!(operation.action, Action::Store | Action::Swap);
        assert_eq!(operation.leaves.is_some(), writes, "{}", operation.name);
    }
    let leaves = |name: &str| operation(&format!("std::sync::atomic::AtomicUsize::{name}")).unwrap().leaves;
    assert_eq!(leaves("store"), Some(Leaves::Argument(1)));
    assert_eq!(leaves("compare_exchange"), Some(Leaves::Argument(2)));
    assert_eq!((leaves("fetch_add"), leaves("fetch_sub")), (Some(Leaves::More), Some(Leaves::Less)));
    assert_eq!((leaves("fetch_max"), leaves("fetch_update")), (Some(Leaves::Extreme), Some(Leaves::Made)));
    assert_eq!(owner("std::sync::atomic::AtomicBool").unwrap().is, Is::Flag(Word::Bool));
}

#[test]
fn a_channel_for_one_message_says_so_at_both_ends() {
    for library in ["tokio::sync", "futures_channel"] {
        for end in ["Receiver", "Sender"] {
            let of = owner(&format!("{library}::oneshot::{end}")).unwrap();
            assert!(matches!(of.is, Is::End(it) if it.is_once), "{}", of.path);
        }
    }
    let once = |it: &Is| matches!(it, Is::End(it) if it.is_once);
    let all = libraries().iter().flat_map(|it| it.owners);
    assert!(all.filter(|it| once(&it.is)).all(|it| it.path.contains("::oneshot::")));
}

#[test]
fn a_function_without_a_row_has_a_reason() {
    for name in ["is_closed", "is_finished", "is_cancelled", "has_changed"] {
        assert!(is_inert(name, Inert::Asks), "{name}");
    }
    assert!(is_inert("into_inner", Inert::Alone) && !is_inert("into_inner", Inert::Asks));
    assert!(is_inert("reset", Inert::Sets) && !is_inert("frobnicate", Inert::Asks));
}

#[test]
fn a_reader_that_passes_writers_is_another_operation_of_the_same_lock() {
    let rows = libraries()
        .iter()
        .flat_map(|it| it.owners)
        .flat_map(|it| it.operations.iter().map(move |of| (it, of)));
    let mut found = 0;
    for (owner, operation) in rows {
        if let Some(recursive) = operation.recursive {
            found += 1;
            assert!(owner.operation(recursive).is_some(), "{}::{recursive}", owner.path);
        }
    }
    assert_eq!(found, 2);
}

#[test]
fn a_type_holds_what_it_is_made_with() {
    let cases = [
        ("Arc", Holds::Counted),
        ("Rc", Holds::Counted),
        ("Box", Holds::Alone),
        ("Weak", Holds::Weakly),
        ("ControlFlow", Holds::Variant),
        ("IndexMap", Holds::Map),
        ("SegQueue", Holds::Queue),
        ("VacantEntry", Holds::Entry),
        ("IntoIter", Holds::Items),
    ];
    for (name, expected) in cases {
        assert_eq!(holds(name), Some(expected), "{name}");
    }
    assert_eq!(holds("Frobnicator"), None);
    assert!(Holds::Queue.is_collection() && !Holds::Entry.is_collection());
    assert!(Holds::Pinned.is_pointer() && Holds::Pinned.is_one() && !Holds::Sequence.is_one());
    let is_lock = |it: &Is| matches!(it, Is::Lock(_));
    for name in ["Mutex", "RwLock"] {
        assert!(holds(name) == Some(Holds::Lock));
        assert!(rvcheck_primitives::owners_named(name).iter().all(|it| is_lock(&it.is)));
    }
}

#[test]
fn a_parker_is_notified_by_its_unparker() {
    for (parker, unparker) in [
        ("parking::Parker", "parking::Unparker"),
        ("crossbeam_utils::sync::Parker", "crossbeam_utils::sync::Unparker"),
    ] {
        assert!(operation(&format!("{parker}::park")).unwrap().may_wait_for_ever());
        let wakes = operation(&format!("{unparker}::unpark")).unwrap();
        assert_eq!(wakes.action, Action::Notify { all: false, stored: true });
    }
    assert!(named("unpark").len() > 2);
}
