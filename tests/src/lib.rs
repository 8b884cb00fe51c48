//! End-to-end tests of rvcheck
