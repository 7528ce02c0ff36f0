# The gateway with the built web app that it serves.
#   docker build -f infra/docker/web.Dockerfile -t caravan/web .
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /caravan
COPY . .
RUN npm ci --no-audit --no-fund && node --import tsx tools/caravan/main.ts build && npm prune --omit=dev --no-audit --no-fund

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 WEB_ROOT=/caravan/dist/web
WORKDIR /caravan
COPY --from=build /caravan/package.json ./
COPY --from=build /caravan/node_modules node_modules
COPY --from=build /caravan/libs libs
COPY --from=build /caravan/dist/gateway dist/gateway
COPY --from=build /caravan/dist/web dist/web
USER node
EXPOSE 8080
CMD ["node", "--enable-source-maps", "dist/gateway/main.js"]
