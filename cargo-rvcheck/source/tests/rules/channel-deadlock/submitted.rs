//! All is put in before the first is taken out.

use async_channel::bounded;

pub async fn sorted(sheets: Vec<u32>) -> Vec<u32> {
    let (unsorted, to_sort) = bounded::<u32>(4);
    let (done, sorted) = bounded::<u32>(4);
    tokio::spawn(async move {
        while let Ok(sheet) = to_sort.recv().await {
            let _ = done.send(sheet).await;
        }
    });
    for sheet in sheets {
        let _ = unsorted.send(sheet).await; //~ channel-deadlock warning
    }
    drop(unsorted);
    let mut all = Vec::new();
    while let Ok(sheet) = sorted.recv().await {
        all.push(sheet);
    }
    all
}

/// Something is taken out for each that is put in.
pub async fn sorted_in_turn(sheets: Vec<u32>) -> Vec<u32> {
    let (unsorted, to_sort) = bounded::<u32>(4);
    let (done, sorted) = bounded::<u32>(4);
    tokio::spawn(async move {
        while let Ok(sheet) = to_sort.recv().await {
            let _ = done.send(sheet).await;
        }
    });
    let mut all = Vec::new();
    for sheet in sheets {
        let _ = unsorted.send(sheet).await;
        all.extend(sorted.recv().await);
    }
    all
}

/// There is room for all.
pub async fn sorted_with_room(sheets: Vec<u32>) -> Vec<u32> {
    let (unsorted, to_sort) = bounded::<u32>(sheets.len());
    let (done, sorted) = bounded::<u32>(4);
    tokio::spawn(async move {
        while let Ok(sheet) = to_sort.recv().await {
            let _ = done.send(sheet).await;
        }
    });
    for sheet in sheets {
        let _ = unsorted.send(sheet).await;
    }
    drop(unsorted);
    let mut all = Vec::new();
    while let Ok(sheet) = sorted.recv().await {
        all.push(sheet);
    }
    all
}
