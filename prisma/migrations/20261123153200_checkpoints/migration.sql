-- A site is learned by one owner at a time and read by everybody else from its checkpoints.
CREATE TABLE "SiteOwner" (
    "siteId" UUID NOT NULL,
    "ownerId" INTEGER,
    "epoch" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "costSeconds" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "checkpoint" INTEGER NOT NULL DEFAULT 0,
    "fault" TEXT,
    CONSTRAINT "SiteOwner_pkey" PRIMARY KEY ("siteId"),
    CONSTRAINT "SiteOwner_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "ForecastingProcess" (
    "id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ForecastingProcess_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Checkpoint" (
    "siteId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "recordsEpoch" INTEGER NOT NULL,
    "livedRevision" BIGINT NOT NULL,
    "savedAt" TIMESTAMPTZ(3) NOT NULL,
    "packed" BYTEA NOT NULL,
    CONSTRAINT "Checkpoint_pkey" PRIMARY KEY ("siteId", "number"),
    CONSTRAINT "Checkpoint_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- It is compressed already.
ALTER TABLE "Checkpoint" ALTER COLUMN "packed" SET STORAGE EXTERNAL;
