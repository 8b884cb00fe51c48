mod unordered {
    #[test]
    fn stored_too_early() {
        ordered::unordered::stored_too_early();
    }

    #[test]
    fn seen_and_ignored() {
        ordered::unordered::seen_and_ignored();
    }

    #[test]
    fn another_flag() {
        ordered::unordered::another_flag();
    }

    #[test]
    fn given_up() {
        ordered::unordered::given_up();
    }

    #[test]
    fn slept() {
        ordered::unordered::slept();
    }

    #[test]
    fn told_too_early() {
        ordered::unordered::told_too_early();
    }

    #[test]
    fn dropped_too_early() {
        ordered::unordered::dropped_too_early();
    }

    #[test]
    fn counted_too_early() {
        ordered::unordered::counted_too_early();
    }

    #[test]
    fn still_there() {
        ordered::unordered::still_there();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn added_too_early() {
        ordered::unordered::added_too_early().await;
    }
}
