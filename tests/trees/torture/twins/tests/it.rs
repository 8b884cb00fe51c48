#[test]
fn two_versions_are_told_apart() {
    let old = first::Held(std::sync::RwLock::new(7));
    assert_eq!(*twins::newer(&old).value.write().unwrap(), 7);
    assert_eq!(second::here(), ("twin/src/lib.rs", 13));
    let (file, line) = first::here();
    assert!(file.ends_with("twin-1/src/lib.rs") && !file.contains("overlay"), "{file}");
    assert_eq!(line, 10);
}
