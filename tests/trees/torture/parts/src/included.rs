/// Part of another file.
pub async fn included() -> &'static str { common::echo(file!()).await }
