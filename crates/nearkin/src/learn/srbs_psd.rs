//! sRBS-PSD: sRBS kept to positive semi-definite matrices.
//!
//! After every step the matrix is replaced by the nearest positive semi-definite one,
//!
//! ```text
//! A ← Σ_{λ_r > 0} λ_r u_r u_rᵀ  of  (Â + Âᵀ)/2,   Â = A − 1/(t n) ∂ε/∂A
//! ```
//!
//! which for a diagonal A clips negative weights. Started at the plain similarity, which is
//! positive definite, it is sRBS for as long as no weight of a diagonal A falls below 0.
//!
//! Cost: that of sRBS, and p³ an epoch for a matrix that is not diagonal.
//!
//! Reference: A. M. Qamar and E. Gaussier, *RELIEF algorithm and similarity learning for k-NN*,
//! 2012, section V.

use super::Smooth;
use super::srbs::smooth;
use crate::parameters;

parameters! {
    /// sRBS-PSD and its settings.
    pub struct SrbsPsd {} with smooth: Smooth
}

smooth! {
    SrbsPsd, psd true: "srbs-psd" is "sRBS-PSD",
    "sRBS kept to positive semi-definite matrices, which factor into a map of rows"
}
