//! A request that cannot be answered.

use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::fmt::Display;
use tesuji_lab::LabError;

/// Status and reason, which the page shows.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
}

/// What a handler gives.
pub(crate) type Answer = Result<Response, Failure>;

impl Failure {
    pub(crate) fn bad(message: impl Display) -> Failure {
        Failure { status: StatusCode::BAD_REQUEST, message: message.to_string() }
    }

    pub(crate) fn forbidden(message: impl Display) -> Failure {
        Failure { status: StatusCode::FORBIDDEN, message: message.to_string() }
    }

    pub(crate) fn missing(message: impl Display) -> Failure {
        Failure { status: StatusCode::NOT_FOUND, message: message.to_string() }
    }

    pub(crate) fn busy(message: impl Display) -> Failure {
        Failure { status: StatusCode::TOO_MANY_REQUESTS, message: message.to_string() }
    }

    pub(crate) fn internal(message: impl Display) -> Failure {
        Failure { status: StatusCode::INTERNAL_SERVER_ERROR, message: message.to_string() }
    }
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::Input(fault) => Failure::bad(fault),
            LabError::Failed(message) => Failure::internal(message),
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.message }).to_string();
        (self.status, [(CONTENT_TYPE, "application/json")], body).into_response()
    }
}

/// An answer in JSON.
pub(crate) fn json_answer(value: &serde_json::Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
