//! Files into nearkin tables.
