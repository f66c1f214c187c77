-- Of two sizes neither of which is as large as the other, each is refused for itself.
ALTER TABLE "Refusal" DROP CONSTRAINT "Refusal_pkey",
  ADD CONSTRAINT "Refusal_pkey" PRIMARY KEY ("siteId", "tenantId", "queue", "scope", "processors", "walltimeSeconds");
