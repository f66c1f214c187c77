-- CreateEnum
CREATE TYPE "RefusalScope" AS ENUM ('JOB', 'SIZE', 'ACCESS', 'QUEUE_DOWN');

-- CreateTable
CREATE TABLE "Refusal" (
    "siteId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "queue" TEXT NOT NULL,
    "scope" "RefusalScope" NOT NULL,
    "processors" INTEGER NOT NULL,
    "walltimeSeconds" INTEGER NOT NULL,
    "siteSays" TEXT NOT NULL,
    "refusedAt" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Refusal_pkey" PRIMARY KEY ("siteId","tenantId","queue","scope")
);

-- CreateIndex
CREATE INDEX "Refusal_tenantId_until_idx" ON "Refusal"("tenantId", "until");

-- AddForeignKey
ALTER TABLE "Refusal" ADD CONSTRAINT "Refusal_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
