-- What moderators write for each other stands in no event any more; it leaves those that are stored, too.
UPDATE "DomainEvent" SET "payload" = ("payload"::jsonb #- '{data,note}' #- '{changes,note}')::text
  WHERE "type" IN ('sanction.created', 'sanction.updated', 'sanction.revoked', 'review.created', 'review.updated')
  AND strpos("payload", '"note"') > 0;
UPDATE "DomainEvent" SET "payload" =
  ("payload"::jsonb #- '{data,payload,payload,data,note}' #- '{data,payload,payload,changes,note}')::text
  WHERE "type" = 'webhook.delivery.updated' AND strpos("payload", '"note"') > 0;
UPDATE "WebhookPayload" SET "payload" = ("payload"::jsonb #- '{payload,data,note}' #- '{payload,changes,note}')::text
  WHERE strpos("payload", '"note"') > 0
  AND "payload"::jsonb ->> 'type' IN ('sanction.created', 'sanction.updated', 'sanction.revoked', 'review.created', 'review.updated');
