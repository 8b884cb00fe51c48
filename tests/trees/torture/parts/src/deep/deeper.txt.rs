pub async fn odd() -> &'static str { super::super::common::echo(file!()).await }
