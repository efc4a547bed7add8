//! Memory for long bodies and files, returned to the system as soon as it is dropped.
//!
//! The C library's allocator keeps freed blocks of up to 32 MiB, separately for each thread: a
//! burst of uploads would increase the process's memory for good. A larger block is a mapping of
//! its own. It takes memory only for the bytes written to it, and releases all of it when dropped.

/// A shorter buffer is an ordinary block.
const SHORT: usize = 64 * 1024;
/// Blocks that the allocator keeps are smaller than this.
const A_MAPPING: usize = 33 * 1024 * 1024;

/// Reserves space for this many more bytes.
pub fn reserve(buffer: &mut Vec<u8>, more: usize) {
    let whole = buffer.len().saturating_add(more);
    if whole > SHORT && whole > buffer.capacity() {
        let roomy = A_MAPPING.max(whole.saturating_mul(2));
        buffer.reserve_exact(roomy.saturating_sub(buffer.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_buffers_have_a_mapping_of_their_own() {
        let mut buffer = Vec::new();
        reserve(&mut buffer, SHORT);
        assert_eq!(buffer.capacity(), 0);
        reserve(&mut buffer, SHORT + 1);
        assert!((A_MAPPING..2 * A_MAPPING).contains(&buffer.capacity()));
        buffer.resize(A_MAPPING + SHORT, 7);
        reserve(&mut buffer, 2 * A_MAPPING);
        assert!(buffer.capacity() >= 3 * A_MAPPING);
    }
}
