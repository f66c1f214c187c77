FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json prisma.config.ts ./
COPY bin bin
COPY prisma prisma
COPY src src
COPY adapters adapters
RUN node bin/prepare.mjs --force && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production GRIDCAST_HOST=0.0.0.0
WORKDIR /app
COPY --from=build --chown=node:node /app /app
USER node
EXPOSE 4000 4001
ENTRYPOINT ["node", "bin/gridcast.mjs"]
CMD ["serve"]
