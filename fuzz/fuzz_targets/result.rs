//! Any bytes are the result of a job, or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use miniz_oxide::deflate::compress_to_vec;
use tesuji_cluster::read_result;

fuzz_target!(|data: &[u8]| {
    // As they are, and as the text that is packed.
    for bytes in [data.to_vec(), compress_to_vec(data, 1)] {
        match read_result(&bytes) {
            Ok(result) => {
                let again = compress_to_vec(&serde_json::to_vec(&result).unwrap(), 1);
                assert_eq!(read_result(&again), Ok(result));
            }
            Err(problem) => assert!(!problem.is_empty()),
        }
    }
});
