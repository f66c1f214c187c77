-- What a site tells of a job beside what is planned on: its name, who pays, and what it used.
ALTER TABLE "Record"
  ADD COLUMN "account" TEXT,
  ADD COLUMN "group" TEXT,
  ADD COLUMN "programName" TEXT,
  ADD COLUMN "workFolder" TEXT,
  ADD COLUMN "cpuSeconds" DOUBLE PRECISION,
  ADD COLUMN "memoryBytes" DOUBLE PRECISION,
  ADD COLUMN "readBytes" DOUBLE PRECISION,
  ADD COLUMN "writtenBytes" DOUBLE PRECISION;
