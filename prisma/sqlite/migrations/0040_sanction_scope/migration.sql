-- The scope of a sanction is text or an object, as JSON.
UPDATE "Sanction" SET "scope" = json_quote("scope") WHERE "scope" IS NOT NULL;
