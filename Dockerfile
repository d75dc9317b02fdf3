FROM node:22-bookworm-slim AS build
WORKDIR /app
# What re2 is compiled with.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
# The image brings the headers of its Node: node-gyp then downloads none.
ENV npm_config_nodedir=/usr/local
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
COPY ui ./ui
COPY scripts/setup/build-identity.mjs scripts/setup/
# docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN node node_modules/typescript/bin/tsc -p tsconfig.json \
  && node node_modules/vite/bin/vite.js build ui --outDir ../dist/ui \
  && node scripts/setup/build-identity.mjs dist "$COMMIT"
# Leaves what runs: no compiler, no builder of the dashboard, no sources, object files and symbols of re2 (90 MB).
RUN rm -rf node_modules/typescript node_modules/@types node_modules/undici-types \
    node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* \
    node_modules/preact* node_modules/@preact \
    node_modules/re2/vendor node_modules/.bin node_modules/.cache \
  && find node_modules/re2/build -type f ! -name re2.node -delete \
  && strip --strip-unneeded node_modules/re2/build/Release/re2.node \
  && node -e "require('re2'); require('lmdb'); require('uWebSockets.js'); require('@duckdb/node-api')"

FROM node:22-bookworm-slim
# What glibc's allocator is told keeps the buffers of bodies from leaving holes in its heap.
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  MALLOC_MMAP_THRESHOLD_=131072 \
  MALLOC_TRIM_THRESHOLD_=1048576 \
  GATEWAY_HOST=0.0.0.0 \
  GATEWAY_DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Read where it lies, from src/ as from dist/.
COPY src/detectors/names/names.bin ./src/detectors/names/
COPY src/detectors/injection/injection.bin ./src/detectors/injection/
COPY src/detectors/injection/quiet/quiet.bin ./src/detectors/injection/quiet/
COPY src/workers/segment/harness-lines.json ./src/workers/segment/
COPY src/billing/prices.json ./src/billing/
USER node
VOLUME /data
EXPOSE 8787 8788
STOPSIGNAL SIGTERM
# The first probe comes after one interval, so a start has 10 s.
HEALTHCHECK --interval=10s --timeout=3s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.GATEWAY_PORT || 8787) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-sigusr1", "--min-semi-space-size=16", "dist/main.js"]
