mod atomics {
    #[test]
    fn flag_of_the_loop() {
        ordered::atomics::flag_of_the_loop();
    }

    #[test]
    fn flag_in_a_variable() {
        ordered::atomics::flag_in_a_variable();
    }

    #[test]
    fn fences() {
        ordered::atomics::fences();
    }

    #[test]
    fn count_up() {
        ordered::atomics::count_up();
    }

    #[test]
    fn count_down() {
        ordered::atomics::count_down();
    }

    #[test]
    fn bits() {
        ordered::atomics::bits();
    }

    #[test]
    fn greatest() {
        ordered::atomics::greatest();
    }

    #[test]
    fn taken_by_swap() {
        ordered::atomics::taken_by_swap();
    }

    #[test]
    fn exchanged() {
        ordered::atomics::exchanged();
    }

    #[test]
    fn exchanged_weakly() {
        ordered::atomics::exchanged_weakly();
    }

    #[test]
    fn updated() {
        ordered::atomics::updated();
    }

    #[test]
    fn pointer() {
        ordered::atomics::pointer();
    }

    #[test]
    fn state() {
        ordered::atomics::state();
    }

    #[test]
    fn sequence() {
        ordered::atomics::sequence();
    }

    #[test]
    fn helper() {
        ordered::atomics::helper();
    }

    #[test]
    fn methods() {
        ordered::atomics::methods();
    }

    #[test]
    fn statics() {
        ordered::atomics::statics();
    }

    #[test]
    fn inside_the_loop() {
        ordered::atomics::inside_the_loop();
    }

    #[test]
    fn borrowed() {
        ordered::atomics::borrowed();
    }

    #[test]
    fn both_are_counted() {
        ordered::atomics::both_are_counted();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn of_a_task() {
        ordered::atomics::of_a_task().await;
    }
}

mod threads {
    #[test]
    fn parked() {
        ordered::threads::parked();
    }

    #[test]
    fn parked_for_a_while() {
        ordered::threads::parked_for_a_while();
    }

    #[test]
    fn polled_between_sleeps() {
        ordered::threads::polled_between_sleeps();
    }

    #[test]
    fn condition() {
        ordered::threads::condition();
    }

    #[test]
    fn condition_with_limit() {
        ordered::threads::condition_with_limit();
    }

    #[test]
    fn met_at_a_barrier() {
        ordered::threads::met_at_a_barrier();
    }

    #[test]
    fn cell() {
        ordered::threads::cell();
    }

    #[test]
    fn cell_waited_for() {
        ordered::threads::cell_waited_for();
    }

    #[test]
    fn once() {
        ordered::threads::once();
    }

    #[test]
    fn lazily() {
        ordered::threads::lazily();
    }

    #[test]
    fn ended() {
        ordered::threads::ended();
    }

    #[test]
    fn tried() {
        ordered::threads::tried();
    }

    #[test]
    fn tried_to_read() {
        ordered::threads::tried_to_read();
    }

    #[test]
    fn disconnected() {
        ordered::threads::disconnected();
    }

    #[test]
    fn seen_to_be_disconnected() {
        ordered::threads::seen_to_be_disconnected();
    }

    #[test]
    fn looked_for() {
        ordered::threads::looked_for();
    }

    #[test]
    fn refused() {
        ordered::threads::refused();
    }

    #[test]
    fn scopes() {
        ordered::threads::scopes();
    }
}

mod counts {
    #[test]
    fn strong() {
        ordered::counts::strong();
    }

    #[test]
    fn alone() {
        ordered::counts::alone();
    }

    #[test]
    fn unwrapped() {
        ordered::counts::unwrapped();
    }

    #[test]
    fn gone() {
        ordered::counts::gone();
    }

    #[test]
    fn weak_pointers() {
        ordered::counts::weak_pointers();
    }

    #[test]
    fn the_locks_themselves() {
        ordered::counts::the_locks_themselves();
    }
}

mod tasks {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn closed() {
        ordered::tasks::closed().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn closed_for_all() {
        ordered::tasks::closed_for_all().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn receiver_is_closed() {
        ordered::tasks::receiver_is_closed().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn changed() {
        ordered::tasks::changed().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn borrowed() {
        ordered::tasks::borrowed().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn waited_for() {
        ordered::tasks::waited_for().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn notified() {
        ordered::tasks::notified().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn answered() {
        ordered::tasks::answered().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nobody_waits() {
        ordered::tasks::nobody_waits().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn free_permits() {
        ordered::tasks::free_permits().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn tried_permits() {
        ordered::tasks::tried_permits().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn senders() {
        ordered::tasks::senders().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn receivers() {
        ordered::tasks::receivers().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn queued() {
        ordered::tasks::queued().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn filled() {
        ordered::tasks::filled().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn met() {
        ordered::tasks::met().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn ended() {
        ordered::tasks::ended().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn none_is_left() {
        ordered::tasks::none_is_left().await;
    }
}

mod outside {
    #[test]
    fn pair_of_sockets() {
        ordered::outside::pair_of_sockets();
    }

    #[test]
    fn connection() {
        ordered::outside::connection();
    }

    #[test]
    fn packet() {
        ordered::outside::packet();
    }

    #[test]
    fn pipe() {
        ordered::outside::pipe();
    }

    #[test]
    fn end_of_a_pipe() {
        ordered::outside::end_of_a_pipe();
    }

    #[test]
    fn file() {
        ordered::outside::file();
    }

    #[test]
    fn child() {
        ordered::outside::child();
    }

    #[test]
    fn child_looked_at() {
        ordered::outside::child_looked_at();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn duplex() {
        ordered::outside::duplex().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn sockets_of_tasks() {
        ordered::outside::sockets_of_tasks().await;
    }
}
