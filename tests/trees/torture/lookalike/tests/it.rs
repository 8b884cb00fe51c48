#[tokio::test]
async fn turns_are_taken() {
    let of = tokio::sync::Mutex::new(1);
    assert_eq!(tokio::join!(pin_project_lite::turn(&of), pin_project_lite::turn(&of)), (2, 3));
}
