//! Makes a client by progenitor, as its build scripts do: generate DOCUMENT CLIENT.
use openapiv3::{OpenAPI, ReferenceOr};
use std::{env::args, error::Error, fs};

/// Media types of request bodies that progenitor reads.
const KNOWN: [&str; 4] =
    ["application/json", "application/octet-stream", "application/x-www-form-urlencoded", "text/plain"];

fn main() -> Result<(), Box<dyn Error>> {
    let [document, client] = args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "generate DOCUMENT CLIENT")?;
    let mut api: OpenAPI = serde_json::from_str(&fs::read_to_string(document)?)?;
    for path in api.paths.paths.values_mut() {
        let ReferenceOr::Item(path) = path else { continue };
        let Some(ReferenceOr::Item(body)) = path.post.as_ref().and_then(|post| post.request_body.as_ref()) else {
            continue;
        };
        if !body.content.keys().all(|name| KNOWN.contains(&name.as_str())) {
            path.post = None; // it refuses the whole document otherwise
        }
    }
    let tokens = progenitor_impl::Generator::default().generate_tokens(&api)?;
    Ok(fs::write(client, tokens.to_string())?)
}
