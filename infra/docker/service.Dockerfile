# One image per service, and one that prepares the databases and topics: the same bundles that `./caravan up` runs.
#   docker build -f infra/docker/service.Dockerfile --build-arg BUNDLE=identity -t caravan/identity .
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /caravan
COPY . .
RUN npm ci --no-audit --no-fund && node --import tsx tools/caravan/main.ts build && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE}
ARG BUNDLE
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 BUNDLE=${BUNDLE}
WORKDIR /caravan
COPY --from=build /caravan/package.json ./
COPY --from=build /caravan/node_modules node_modules
COPY --from=build /caravan/libs libs
COPY --from=build /caravan/services services
COPY --from=build /caravan/dist/${BUNDLE} dist/${BUNDLE}
USER node
EXPOSE 3000
CMD ["sh", "-c", "exec node --enable-source-maps dist/$BUNDLE/main.js"]
