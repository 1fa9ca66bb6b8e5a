//! Messages about long work without a progress bar.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Time until the first message, then between messages.
const FIRST_MESSAGE: Duration = Duration::from_secs(5);
const MESSAGE_INTERVAL: Duration = Duration::from_secs(15);

/// Does work; another thread calls `tell` with the elapsed seconds, first after 5 s, then every 15 s.
pub fn patiently<T>(tell: impl Fn(u64) + Send, work: impl FnOnce() -> T) -> T {
    patiently_at([FIRST_MESSAGE, MESSAGE_INTERVAL], move |passed| tell(passed.as_secs()), work)
}

fn patiently_at<T>([first, every]: [Duration; 2], tell: impl Fn(Duration) + Send, work: impl FnOnce() -> T) -> T {
    let (working, done) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let (start, mut wait) = (Instant::now(), first);
            // the channel closes when the work ends
            while done.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                tell(start.elapsed());
                wait = every;
            }
        });
        let result = work();
        drop(working);
        result
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn long_work_is_told_and_short_work_is_not() {
        let told = |millis: u64| {
            let times = Mutex::new(Vec::new());
            let tell = |passed: Duration| times.lock().unwrap().push(passed);
            let answer = patiently_at([Duration::from_millis(150), Duration::from_millis(20)], tell, || {
                std::thread::sleep(Duration::from_millis(millis));
                millis
            });
            assert_eq!(answer, millis);
            times.into_inner().unwrap()
        };
        assert!(told(1).is_empty());
        let times = told(400);
        assert!(times.len() >= 2 && times[0] >= Duration::from_millis(150) && times.is_sorted(), "{times:?}");
    }
}
