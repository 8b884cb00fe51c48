//! Somebody clicks once. Nobody is quick enough to click twice before the feed is gone.

use button::remover::Remover;
use button::toolkit::Window;

async fn clicked_once(disables: bool) {
    let window = Window::new();
    let (button, task) = (window.button(), window.task());
    let running = window.run(Remover { task, disables }, 1);
    button.click();
    running.await.unwrap();
}

#[tokio::test]
async fn a_click_removes_the_feed() {
    clicked_once(false).await;
}

#[tokio::test]
async fn a_click_disables_the_button_and_removes_the_feed() {
    clicked_once(true).await;
}
