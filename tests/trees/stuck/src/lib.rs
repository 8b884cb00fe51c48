//! Pairs of small programs: in the `stuck` one a task or a thread waits for ever although the test passes, in the
//! `fixed` one everybody ends. The table is in `README.md`.

pub mod archive_writer;
pub mod assembly_line;
pub mod bird_feeder;
pub mod census_rounds;
pub mod chess_clock;
pub mod courier_quotes;
pub mod dock_permits;
pub mod double_ledger;
pub mod feed_merger;
pub mod ferry_boarding;
pub mod first_match;
pub mod furnace_watch;
pub mod gallery_lights;
pub mod gate_opening;
pub mod idle_scanners;
pub mod invoice_mailer;
pub mod kiln_batches;
pub mod loan_desk;
pub mod locale_tables;
pub mod log_tailer;
pub mod map_tiles;
pub mod museum_guide;
pub mod night_watch;
pub mod photo_import;
pub mod printer_queue;
pub mod relay_printer;
pub mod render_farm;
pub mod rowing_crew;
pub mod seat_reservation;
pub mod shift_roster;
pub mod stock_counter;
pub mod tax_lookup;
pub mod thermostat;
pub mod word_index;
