//! What rvcheck compiles into the program under test: the recorder and its hooks
