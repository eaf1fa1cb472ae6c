-- The scope of a sanction is text or an object, as JSON.
UPDATE "Sanction" SET "scope" = to_json("scope")::text WHERE "scope" IS NOT NULL;
