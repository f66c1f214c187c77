-- Texts of scripts are kept once each, under the SHA-256 of their UTF-8.
CREATE TABLE "ScriptText" (
  "hash" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  CONSTRAINT "ScriptText_pkey" PRIMARY KEY ("hash")
);

ALTER TABLE "Execution" ADD COLUMN "scriptHash" TEXT;
UPDATE "Execution" SET "scriptHash" = encode(sha256(convert_to("script", 'UTF8')), 'hex');
INSERT INTO "ScriptText" ("hash", "text") SELECT DISTINCT "scriptHash", "script" FROM "Execution";
ALTER TABLE "Execution" DROP COLUMN "script";
ALTER TABLE "Execution" ADD CONSTRAINT "Execution_scriptHash_fkey" FOREIGN KEY ("scriptHash")
  REFERENCES "ScriptText"("hash") ON DELETE RESTRICT ON UPDATE RESTRICT;
CREATE INDEX "Execution_scriptHash_idx" ON "Execution"("scriptHash");

-- Those whose retention may be over.
CREATE INDEX "Execution_endedAt_idx" ON "Execution" (COALESCE("endedAt", "updatedAt"))
  WHERE "state" = 'ENDED' AND "scriptHash" IS NOT NULL;

-- Records of our own jobs are told with their texts.
CREATE INDEX "Submission_siteId_nativeId_idx" ON "Submission"("siteId", "nativeId");
