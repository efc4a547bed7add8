//! Who is let in: nobody without credentials, and no caller of another kind.

use crate::client::Proof;
use crate::endpoints::Interface;
use crate::trial::Trial;

const NOBODY: &str = "specification 5 and 7; contract, status codes";
const KIND: &str = "specification 5 and 7; contract, authentication";

pub(crate) async fn check(trial: &mut Trial<'_>) {
    let endpoint = trial.endpoint;
    if endpoint.is_open() {
        return;
    }
    let request = trial.request_with(Proof::Nothing, &trial.path, &trial.input);
    trial.refuses(("without credentials", NOBODY), request, (401, None)).await;
    for (part, status) in strangers(trial) {
        let proof = trial.suite.proof(part, &trial.values).await;
        match proof {
            Ok(proof) => {
                let request = trial.request_with(proof, &trial.path, &trial.input);
                let check = format!("called by {part}");
                trial.refuses((check, KIND), request, (status, None)).await;
            }
            Err(trouble) => trial.note(format!("called by {part}"), KIND, Err(trouble)),
        }
    }
    if trial.row.changes {
        for (name, value) in [("sec-fetch-site", "cross-site"), ("sec-purpose", "prefetch")] {
            let mut request = trial.request();
            request.headers.push((name, value.into()));
            let check = format!("a GET that changes, with {name}: {value}");
            trial.refuses((check, KIND), request, (403, None)).await;
        }
    }
    if endpoint.interface == Interface::Admin
        && endpoint.method != "GET"
        && let Proof::Session(cookie, _, name) = &trial.proof
    {
        let proof = Proof::Session(cookie.clone(), "none".into(), name.clone());
        let request = trial.request_with(proof, &trial.path, &trial.input);
        let check = ("without a CSRF token", "specification 5; contract, authentication");
        trial.refuses(check, request, (403, Some("csrf_invalid"))).await;
    }
}

/// Accounts of a kind that may not call, and how they are refused.
fn strangers(trial: &Trial<'_>) -> Vec<(&'static str, u16)> {
    let endpoint = trial.endpoint;
    match endpoint.interface {
        Interface::Core => vec![match endpoint.caller {
            "athlete" | "athlete,agent" => ("brand", 403),
            "partner" | "agent" | "fan" => ("athlete", 403),
            "user" | "registrant" => ("owner", 401),
            _ => ("fan", 403),
        }],
        Interface::Compliance => {
            let mut strangers = vec![("brand", 401)];
            if endpoint.caller != "viewer" {
                strangers.push(("viewer", 403));
            }
            strangers
        }
        Interface::Admin => {
            let mut strangers = vec![("brand", 403)];
            if let Some((_, permission)) = endpoint.caller.split_once(':') {
                let may = trial.suite.permissions("clerk");
                if !may.iter().any(|has| has == permission || has == "*") {
                    strangers.push(("clerk", 403));
                }
            }
            strangers
        }
    }
}
