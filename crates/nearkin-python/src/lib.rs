//! The Python module.
