-- What a token may do is its own, not what its principal may. Those that are there keep the role that their principal has.
ALTER TABLE "Token" ADD COLUMN "role" "Role", ADD COLUMN "lastUsedAt" TIMESTAMPTZ(3);
UPDATE "Token" t SET "role" = p."role" FROM "Principal" p WHERE p."id" = t."principalId";
ALTER TABLE "Token" ALTER COLUMN "role" SET NOT NULL;
