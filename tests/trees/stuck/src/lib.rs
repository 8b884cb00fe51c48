//! Pairs of small programs: in the `stuck` one a task or a thread waits for ever although the test passes, in the
//! `fixed` one everybody ends. The table is in `README.md`.

pub mod courier_quotes;
pub mod double_ledger;
pub mod feed_merger;
pub mod ferry_boarding;
pub mod furnace_watch;
pub mod gate_opening;
pub mod invoice_mailer;
pub mod loan_desk;
pub mod locale_tables;
pub mod log_tailer;
pub mod museum_guide;
pub mod photo_import;
pub mod printer_queue;
pub mod relay_printer;
pub mod render_farm;
pub mod rowing_crew;
pub mod stock_counter;
pub mod tax_lookup;
