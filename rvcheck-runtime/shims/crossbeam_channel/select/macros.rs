//! The macros `select!` and `select_biased!`. What they wait for is recorded at the place of the macro.

/// Waits for one of several operations and does it. Of those that are ready, it takes a random one.
#[macro_export]
macro_rules! select {
    ($($arms:tt)*) => {
        $crate::__rv_select!(@read new [$($arms)*] [])
    };
}

/// Waits for one of several operations and does it. Of those that are ready, it takes the first one.
#[cfg(rv_crossbeam_channel_0_5_14)]
#[macro_export]
macro_rules! select_biased {
    ($($arms:tt)*) => {
        $crate::__rv_select!(@read new_biased [$($arms)*] [])
    };
}

/// The real crate exports this for its own macros, and other crates build their own upon it. What a constant at the caller says
/// of the order is not looked at: of operations that are ready, any may be taken.
#[doc(hidden)]
#[macro_export]
macro_rules! crossbeam_channel_internal {
    ($($arms:tt)*) => {
        $crate::__rv_select!(@read new [$($arms)*] [])
    };
}

/// What the two have in common, step by step: `@read` brings the arms into one form, `@sort` puts `default` aside, `@run`
/// finds a shorter way for a single receive, `@add` adds the operations to a `Select`, `@wait` waits, `@done` does what was
/// selected.
#[doc(hidden)]
#[macro_export]
macro_rules! __rv_select {
    (@read $new:ident [] [$($read:tt)+]) => {
        $crate::__rv_select!(@sort $new [$($read)+] [] [])
    };
    (@read $new:ident [default => $($rest:tt)*] $read:tt) => {
        $crate::__rv_select!(@read $new [default() => $($rest)*] $read)
    };
    (@read $new:ident
        [$kind:ident $arguments:tt $(-> $result:pat)? => { $($body:tt)* }, $($rest:tt)*] [$($read:tt)*]
    ) => {
        $crate::__rv_select!(@read $new
            [$($rest)*] [$($read)* $kind $arguments $(-> $result)? => { $($body)* },]
        )
    };
    (@read $new:ident
        [$kind:ident $arguments:tt $(-> $result:pat)? => $body:expr, $($rest:tt)*] [$($read:tt)*]
    ) => {
        $crate::__rv_select!(@read $new
            [$($rest)*] [$($read)* $kind $arguments $(-> $result)? => { $body },]
        )
    };
    // A block needs no comma behind it.
    (@read $new:ident
        [$kind:ident $arguments:tt $(-> $result:pat)? => { $($body:tt)* } $($rest:tt)*] [$($read:tt)*]
    ) => {
        $crate::__rv_select!(@read $new
            [$($rest)*] [$($read)* $kind $arguments $(-> $result)? => { $($body)* },]
        )
    };
    (@read $new:ident
        [$kind:ident $arguments:tt $(-> $result:pat)? => $body:expr] [$($read:tt)*]
    ) => {
        $crate::__rv_select!(@read $new
            [] [$($read)* $kind $arguments $(-> $result)? => { $body },]
        )
    };

    (@sort $new:ident [] $operations:tt $default:tt) => {
        $crate::__rv_select!(@run $new $operations $default)
    };
    (@sort $new:ident
        [recv($receiver:expr $(,)?) -> $result:pat => $body:tt, $($rest:tt)*] [$($operations:tt)*] $default:tt
    ) => {
        $crate::__rv_select!(@sort $new
            [$($rest)*] [$($operations)* recv($receiver) -> $result => $body,] $default
        )
    };
    (@sort $new:ident
        [send($sender:expr, $message:expr $(,)?) -> $result:pat => $body:tt, $($rest:tt)*]
        [$($operations:tt)*] $default:tt
    ) => {
        $crate::__rv_select!(@sort $new
            [$($rest)*] [$($operations)* send($sender, $message) -> $result => $body,] $default
        )
    };
    (@sort $new:ident [default() => $body:tt, $($rest:tt)*] $operations:tt []) => {
        $crate::__rv_select!(@sort $new [$($rest)*] $operations [default() => $body])
    };
    (@sort $new:ident [default($timeout:expr $(,)?) => $body:tt, $($rest:tt)*] $operations:tt []) => {
        $crate::__rv_select!(@sort $new [$($rest)*] $operations [default($timeout) => $body])
    };

    (@run $new:ident [recv($receiver:expr) -> $result:pat => $body:tt,] []) => {
        match $receiver {
            ref receiver => {
                let receiver: &$crate::Receiver<_> = receiver;
                let result = receiver.recv();
                let $result = result;
                $body
            }
        }
    };
    (@run $new:ident [recv($receiver:expr) -> $result:pat => $body:tt,] [default() => $default:tt]) => {
        match $receiver {
            ref receiver => {
                let receiver: &$crate::Receiver<_> = receiver;
                match receiver.try_recv() {
                    ::std::result::Result::Err($crate::TryRecvError::Empty) => $default,
                    result => {
                        let $result = result.map_err(|_| $crate::RecvError);
                        $body
                    }
                }
            }
        }
    };
    (@run $new:ident
        [recv($receiver:expr) -> $result:pat => $body:tt,] [default($timeout:expr) => $default:tt]
    ) => {
        match $receiver {
            ref receiver => {
                let receiver: &$crate::Receiver<_> = receiver;
                match receiver.recv_timeout($timeout) {
                    ::std::result::Result::Err($crate::RecvTimeoutError::Timeout) => $default,
                    result => {
                        let $result = result.map_err(|_| $crate::RecvError);
                        $body
                    }
                }
            }
        }
    };
    (@run $new:ident $operations:tt $default:tt) => {{
        #[allow(unused_mut)]
        let mut select = $crate::Select::$new();
        $crate::__rv_select!(@add select $operations $default [])
    }};

    (@add $select:ident [] $default:tt $added:tt) => {
        $crate::__rv_select!(@wait $select $default $added)
    };
    (@add $select:ident
        [recv($receiver:expr) -> $result:pat => $body:tt, $($rest:tt)*] $default:tt [$($added:tt)*]
    ) => {
        match $receiver {
            ref receiver => {
                let receiver: &$crate::Receiver<_> = receiver;
                let index = $select.recv(receiver);
                $crate::__rv_select!(@add $select
                    [$($rest)*] $default [$($added)* index recv(receiver) -> $result => $body,]
                )
            }
        }
    };
    (@add $select:ident
        [send($sender:expr, $message:expr) -> $result:pat => $body:tt, $($rest:tt)*]
        $default:tt [$($added:tt)*]
    ) => {
        match $sender {
            ref sender => {
                let sender: &$crate::Sender<_> = sender;
                let index = $select.send(sender);
                $crate::__rv_select!(@add $select
                    [$($rest)*] $default [$($added)* index send(sender, $message) -> $result => $body,]
                )
            }
        }
    };

    (@wait $select:ident [] $added:tt) => {{
        let operation = $select.select();
        $crate::__rv_select!(@done $select operation $added)
    }};
    // Either way all of it is moved, so that nothing is borrowed in the bodies.
    (@wait $select:ident [default($($timeout:expr)?) => $default:tt] $added:tt) => {{
        let selected = $crate::__rv_select!(@within $select $($timeout)?);
        if selected.is_ok() {
            let operation = selected.unwrap();
            $crate::__rv_select!(@done $select operation $added)
        } else {
            ::std::mem::drop((selected, $select));
            $default
        }
    }};
    (@within $select:ident) => { $select.try_select() };
    (@within $select:ident $timeout:expr) => { $select.select_timeout($timeout) };

    (@done $select:ident $operation:ident []) => {
        ::std::unreachable!("an operation was selected that was not added")
    };
    (@done $select:ident $operation:ident
        [$index:ident $kind:ident($($arguments:tt)*) -> $result:pat => $body:tt, $($rest:tt)*]
    ) => {
        if $operation.index() == $index {
            let result = $operation.$kind($($arguments)*);
            // Before the body, which may move what the operations borrow.
            ::std::mem::drop($select);
            let $result = result;
            $body
        } else {
            $crate::__rv_select!(@done $select $operation [$($rest)*])
        }
    };

    ($($tokens:tt)*) => {
        ::std::compile_error!("expected `recv(…) -> … => …`, `send(…, …) -> … => …` or `default => …`")
    };
}
