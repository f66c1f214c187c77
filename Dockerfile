# With its digest it is the same image for ever: NODE_IMAGE=node:24-bookworm-slim@sha256:..., see docs/security.md.
ARG NODE_IMAGE=node:24-bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json prisma.config.ts ./
COPY bin bin
COPY prisma prisma
COPY src src
COPY adapters adapters
RUN node bin/prepare.mjs --force && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production GRIDCAST_HOST=0.0.0.0
WORKDIR /app
COPY --from=build --chown=node:node /app /app
USER node
EXPOSE 4000 4001
ENTRYPOINT ["node", "bin/gridcast.mjs"]
CMD ["serve"]
