//! Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON.
use openapi::apis::configuration::{ApiKey, Configuration};
use openapi::apis::gameplay_api::{send_event, send_events};
use openapi::apis::gameplay_configuration_api::get_leaderboard_member;
use openapi::apis::participants_api::{create_participant, delete_participant};
use openapi::apis::sanctions_api::{create_sanction, get_sanction, list_sanctions, revoke_sanction, update_sanction};
use openapi::apis::watching_api::get_readiness;
use openapi::apis::Error;
use openapi::models::{
    create_sanction_request::Type, CreateParticipantRequest, CreateSanctionRequest, EventBatch, EventPayload,
    RevokeSanctionRequest, UpdateSanctionRequest,
};
use serde_json::json;

fn given(name: &str) -> String {
    std::env::var(format!("DAEMON_{name}")).expect(name)
}

fn client_of(key: String) -> Configuration {
    Configuration { base_path: given("URL"), api_key: Some(ApiKey { prefix: None, key }), ..Configuration::new() }
}

fn status_of<T, E>(answer: Result<T, Error<E>>) -> u16 {
    match answer {
        Err(Error::ResponseError(refusal)) => refusal.status.as_u16(),
        _ => 0,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (project, user) = (given("PROJECT"), given("USER"));
    let client = client_of(given("API_KEY"));

    let ready = get_readiness(&client).await?.status;
    let participant = create_participant(&client, &project, CreateParticipantRequest::new(user.clone()), None).await?;
    let wanted = CreateSanctionRequest { external_user_id: Some(user.clone()), ..CreateSanctionRequest::new(Type::Mute) };
    let sanction = create_sanction(&client, &project, wanted, None).await?;
    let page = list_sanctions(
        &client, &project, Some(1), None, None, Some(&user), None, None, None, None, None, None, None, None, None,
        None,
    )
    .await?;
    let id = sanction.id.to_string();
    let revoked = revoke_sanction(&client, &project, &id, None, Some(RevokeSanctionRequest::new())).await?;
    let change = UpdateSanctionRequest { reason: Some(Some("too late".into())), ..UpdateSanctionRequest::new() };
    let conflict = status_of(update_sanction(&client, &project, &id, change).await);
    let unknown = status_of(get_sanction(&client, &project, "00000000-0000-7000-8000-000000000000").await);
    let score = EventPayload {
        user_id: Some(Some(user.clone())),
        metadata: Some(Some([("score".to_string(), json!(3_000_000_000_i64))].into())),
        ..EventPayload::new("achieve-score".into())
    };
    let event = send_event(&client, score, None, None, None).await?;
    let member = get_leaderboard_member(&client, &project, &given("BOARD"), "user", &user, None, None).await?;
    let kill = json!({ "user_id": user, "event_name": "kill-enemy", "metadata": { "amount": 1 } });
    let upload = send_events(&client, EventBatch::new(vec![kill; 200]), None, None, None).await?;
    let wrong = client_of("earshot_live_wrong".into());
    let stranger = status_of(delete_participant(&wrong, &project, &participant.id.to_string()).await);
    delete_participant(&client, &project, &participant.id.to_string()).await?;
    let got = json!({
        "ready": ready,
        "participant": participant.external_user_id,
        "permanent": sanction.end_at.is_none() && sanction.reason.is_none(),
        "page": [page.total, page.sanctions.len() as i64],
        "revoked": revoked.status,
        "conflict": conflict,
        "unknown": unknown,
        "event": event.message,
        "score": member.member.score,
        "upload": upload.results.len(),
        "stranger": stranger,
        "removed": 204, // any other status is an error
    });
    println!("{got}");
    Ok(())
}
