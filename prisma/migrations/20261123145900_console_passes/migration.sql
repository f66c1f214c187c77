-- Browsers sign in to the console with a code, good for one use, and stay signed in by a session.
CREATE TYPE "ConsolePassKind" AS ENUM ('CODE', 'SESSION');

CREATE TABLE "ConsolePass" (
    "hash" TEXT NOT NULL,
    "tokenId" UUID NOT NULL,
    "kind" "ConsolePassKind" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConsolePass_pkey" PRIMARY KEY ("hash")
);

CREATE INDEX "ConsolePass_tokenId_kind_createdAt_idx" ON "ConsolePass"("tokenId", "kind", "createdAt");
CREATE INDEX "ConsolePass_expiresAt_idx" ON "ConsolePass"("expiresAt");

ALTER TABLE "ConsolePass" ADD CONSTRAINT "ConsolePass_tokenId_fkey"
    FOREIGN KEY ("tokenId") REFERENCES "Token"("id") ON DELETE CASCADE ON UPDATE CASCADE;
