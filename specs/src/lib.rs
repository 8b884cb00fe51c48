//! The property library of rvcheck as data
