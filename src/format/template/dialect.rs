//! Whose format strings they are.

/// A server whose format strings are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// nginx's `log_format`.
    Nginx,
    /// Apache's `LogFormat`.
    Apache,
    /// HAProxy's `log-format`.
    Haproxy,
    /// Envoy's format strings and dictionaries.
    Envoy,
}

impl Dialect {
    /// What its strings are called.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Nginx => "an nginx log_format",
            Dialect::Apache => "an Apache LogFormat",
            Dialect::Haproxy => "a HAProxy log-format",
            Dialect::Envoy => "an Envoy format",
        }
    }
}
