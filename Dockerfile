# syntax=docker/dockerfile:1
# One static binary and nothing else: it asks for no shell, no CA certificates, no time zones, no writable folder.
#
#     docker run --rm --volume "$PWD:/work:ro" ghcr.io/runnerlint/runnerlint
#
# The release puts its own binaries in the place of the first stage: `--build-context binary=FOLDER`, one folder a
# platform's architecture.
FROM rust:1.95-alpine AS binary
ARG TARGETARCH
WORKDIR /src
COPY . .
RUN cargo build --release --locked && install -D target/release/runnerlint "/$TARGETARCH/runnerlint"

FROM scratch
ARG TARGETARCH
LABEL org.opencontainers.image.title="runnerlint" \
      org.opencontainers.image.description="The linter for CI runner fleets on Kubernetes" \
      org.opencontainers.image.source="https://github.com/runnerlint/runnerlint" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=binary /${TARGETARCH}/runnerlint /runnerlint
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["/runnerlint"]
