# The compiler and its packages stay in this stage.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY prisma.config.ts tsconfig.json tsconfig.build.json LICENSE ./
COPY scripts scripts
COPY prisma prisma
COPY docs docs
COPY reference reference
COPY src src
RUN npm run build

FROM node:22-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
# Without a DATABASE_URL, DATA_DIR holds an embedded PostgreSQL, which refuses to run as root.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# Group 0 can write as the owner: OpenShift runs the image as a user without a name, in that group.
RUN mkdir /data && chown node:0 /data && chmod 770 /data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY prisma/migrations prisma/migrations
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/health`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=8", "--heap-growing-percent=50", "dist/main.js"]
