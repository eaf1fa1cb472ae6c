-- What moderators write for each other stands in no event any more; it leaves those that are stored, too.
UPDATE "DomainEvent" SET "payload" = json_remove("payload", '$.data.note', '$.changes.note')
  WHERE "type" IN ('sanction.created', 'sanction.updated', 'sanction.revoked', 'review.created', 'review.updated')
  AND instr("payload", '"note"') > 0 AND json_valid("payload");
UPDATE "DomainEvent" SET "payload" = json_remove("payload", '$.data.payload.payload.data.note', '$.data.payload.payload.changes.note')
  WHERE "type" = 'webhook.delivery.updated' AND instr("payload", '"note"') > 0 AND json_valid("payload");
UPDATE "WebhookPayload" SET "payload" = json_remove("payload", '$.payload.data.note', '$.payload.changes.note')
  WHERE instr("payload", '"note"') > 0 AND json_valid("payload")
  AND json_extract("payload", '$.type') IN ('sanction.created', 'sanction.updated', 'sanction.revoked', 'review.created', 'review.updated');
