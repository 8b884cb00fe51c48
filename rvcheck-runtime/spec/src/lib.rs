//! The property language of rvcheck: automata, the monitor engine and its oracle
