/* Tables of the Bessel functions, as those of parts/special.cl, for templates/bessel.cl: J and Y of orders 0 and 1 to
 * 8, what their amplitudes and phases leave beyond (Hankel's P and Q), and I of order 1. */

constant float bessel_j0_near_float[] = {
    0x1.776fc6p-5f, 0x1.dc507p-1f, -0x1.4c042ap-1f, -0x1.9dbdbep-1f, 0x1.09d33cp+0f, -0x1.03d348p-1f,
    0x1.2afc4ep-3f, -0x1.d25faep-6f, 0x1.09ebdep-8f, -0x1.d8f7fp-12f, 0x1.466e58p-15f};
constant float bessel_j1_near_float[] = {
    -0x1.dc5072p-5f, 0x1.4c042ap-4f, 0x1.364e5cp-3f, -0x1.09d33ap-2f, 0x1.44c79p-3f, -0x1.c07a9cp-5f,
    0x1.982f66p-7f, -0x1.09e82ap-9f, 0x1.05986cp-12f, -0x1.98f74p-16f, 0x1.fa524cp-20f};
constant float bessel_y0_near_float[] = {
    -0x1.876cb8p-2f, -0x1.a828cp-1f, 0x1.a5a81ep+0f, 0x1.272bb4p-3f, -0x1.13da28p+0f, 0x1.582798p-1f,
    -0x1.c06d12p-3f, 0x1.7bd6cep-5f, -0x1.cc5e0cp-8f, 0x1.a6a152p-11f, -0x1.35648ep-14f, 0x1.686af2p-18f};
constant float bessel_y1_near_float[] = {
    0x1.21d516p-4f, -0x1.f26fdep-3f, 0x1.7edab2p-6f, 0x1.e16d74p-3f, -0x1.923952p-3f, 0x1.41bbb6p-4f,
    -0x1.41990ap-6f, 0x1.c081a2p-9f, -0x1.d1569p-12f, 0x1.7c459ap-15f, -0x1.e83062p-19f};
constant float bessel_p0_far_float[] = {
    0x1.ffb8dep-1f, -0x1.1935f4p-11f, 0x1.9bdf24p-18f, -0x1.bc25a2p-23f, 0x1.becedcp-27f};
constant float bessel_q0_far_float[] = {
    -0x1.fdb5cp-4f, 0x1.1e9a28p-11f, -0x1.8c8212p-17f, 0x1.34c262p-21f, -0x1.8e03dp-25f};
constant float bessel_p1_far_float[] = {
    0x1.003b72p+0f, 0x1.d73b8p-11f, -0x1.0b14c8p-17f, 0x1.09534ap-22f, -0x1.007c94p-26f};
constant float bessel_q1_far_float[] = {
    0x1.7f3238p-2f, -0x1.938d62p-11f, 0x1.e8ddb2p-17f, -0x1.6814a8p-21f, 0x1.c278ep-25f};
constant float bessel_i1_near_float[] = {
    0x1.c99a26p-3f, -0x1.03d4dcp-3f, 0x1.885bc6p-4f, -0x1.1f784ap-4f, 0x1.6fe04cp-5f, -0x1.5d5a8cp-6f,
    0x1.26e4a8p-9f, 0x1.50dd2ep-7f, -0x1.09f4fep-6f, 0x1.18f934p-6f, -0x1.d9e56ep-7f, 0x1.4807bep-7f,
    -0x1.c2194ep-8f, 0x1.5b4abep-8f, -0x1.6e1be4p-9f, 0x1.c7bad4p-12f, -0x1.45633ap-12f, 0x1.58e4f4p-11f,
    -0x1.15226p-12f};
constant float bessel_i1_far_float[] = {
    0x1.2231f2p+10f, -0x1.d1026ep+4f, -0x1.4e9c2ep-1f, -0x1.6e619ap-5f, -0x1.64ddf8p-8f, -0x1.496b9ep-10f,
    -0x1.7dbbc8p-12f};
#ifdef cl_khr_fp64
constant double bessel_j0_near_double[] = {
    0x1.776fc5f84e28p-5, 0x1.dc5071f1209f4p-1, -0x1.4c042a76a3d9ap-1, -0x1.9dbdd0f268edfp-1, 0x1.09d33c82734c7p+0,
    -0x1.03d2da095b4d3p-1, 0x1.2afc33916d951p-3, -0x1.d27f3cd0c3c57p-6, 0x1.09f3448afe692p-8,
    -0x1.d11773b2a6a3ap-12, 0x1.42bc90334c844p-15, -0x1.6cc526fb69af1p-19, 0x1.56a7a3208d73fp-23,
    -0x1.0ff7eb0c00e75p-27, 0x1.71d0b6c23df9bp-32, -0x1.b5729c33c7261p-37, 0x1.c2b3e18859255p-42};
constant double bessel_j1_near_double[] = {
    -0x1.dc5071f1209f4p-5, 0x1.4c042a76a3d9ap-4, 0x1.364e5cb5ceb28p-3, -0x1.09d33c82734c7p-2, 0x1.44c7908bb21fap-3,
    -0x1.c07a4d5a245f9p-5, 0x1.982f5536aba62p-7, -0x1.09f3448afe71p-9, 0x1.059d31145aa0ap-12,
    -0x1.936bb44012d62p-16, 0x1.f58f15d1dd73fp-20, -0x1.00fdba62dd55dp-23, 0x1.b9f2b1b189a63p-28,
    -0x1.43968f39d3c0fp-32, 0x1.9a36aed03c986p-37, -0x1.c2c89ea282aaap-42};
constant double bessel_y0_near_double[] = {
    -0x1.876cb72f1c7ebp-2, -0x1.a828bfbfdc936p-1, 0x1.a5a81d661f788p+0, 0x1.272bb3b608b4ep-3, -0x1.13da2b14a486ep+0,
    0x1.58279811359ffp-1, -0x1.c06cc647f6aa1p-3, 0x1.7bd6bf2cea1e1p-5, -0x1.cc7060123653ap-8, 0x1.a6a8c6c8b12e2p-11,
    -0x1.31537c5ca2375p-14, 0x1.651b8fa0e7285p-18, -0x1.5995ab70980ap-22, 0x1.1997d4a7c8bcfp-26,
    -0x1.88006a91193cfp-31, 0x1.d9b424d8e8b94p-36, -0x1.f18fc0e5099b2p-41};
constant double bessel_y1_near_double[] = {
    0x1.21d516f81acf6p-4, -0x1.f26fddceafd0ep-3, 0x1.7edab31507d03p-6, 0x1.e16d7a1d07b7p-3, -0x1.923952d7c42a6p-3,
    0x1.41bb6917b15d2p-4, -0x1.4198f92a31f2ap-6, 0x1.c097bb98fe302p-9, -0x1.d1604f9ccae5cp-12,
    0x1.76c164b7f48cbp-15, -0x1.e35169de36f5fp-19, 0x1.ff34fd2db52ecp-23, -0x1.c3f1d9346c784p-27,
    0x1.532ea3c52e1f1p-31, -0x1.b5d375e75f876p-36, 0x1.ed24eaf166feap-41, -0x1.e56ece69c7e9p-46};
constant double bessel_p0_far_double[] = {
    0x1.ffb8dd328503dp-1, -0x1.193600c1de9e4p-11, 0x1.9be00160e48adp-18, -0x1.b8d2d71a55f1p-23,
    0x1.b7ef129d0c349p-27, -0x1.4d2ea7b5ff916p-30, 0x1.54dd83c570ec3p-33, -0x1.b63de0806d6e1p-36,
    0x1.50974ec72d46dp-38, -0x1.1dfebdb695059p-40, 0x1.17f8dc5380f5ep-42, -0x1.cd307ea16646p-44,
    0x1.22b44c20cfcf8p-45};
constant double bessel_q0_far_double[] = {
    -0x1.fdb5c0b2f3d5bp-4, 0x1.1e9a6138feebbp-11, -0x1.8c84352849033p-17, 0x1.3135a899d41e7p-21,
    -0x1.858d1bacfdbf7p-25, 0x1.61a5760762203p-28, -0x1.a08311da2b2a4p-31, 0x1.2b95c69e41fd8p-33,
    -0x1.f921a9be4baa5p-36, 0x1.e92000e831c4ap-38, -0x1.0668091943fc5p-39, 0x1.03a670548b57ap-41,
    -0x1.36db567677481p-43, 0x1.c9af9c3cfbb0dp-44, -0x1.5c372909b868cp-45};
constant double bessel_p1_far_double[] = {
    0x1.003b716033732p+0, 0x1.d73b8ea3c10e5p-11, -0x1.0b1541bfc1a5p-17, 0x1.077626543cbbcp-22,
    -0x1.f96171be525d9p-27, 0x1.75ea6572a7f3cp-30, -0x1.78b886ec4dd32p-33, 0x1.df1be0c9c32f6p-36,
    -0x1.6d0448dc7998ep-38, 0x1.34716193951cbp-40, -0x1.2c7e37bcb0e4dp-42, 0x1.eb6c4c5284704p-44,
    -0x1.34b5237c76218p-45};
constant double bessel_q1_far_double[] = {
    0x1.7f323705062fbp-2, -0x1.938da0a0a6a19p-11, 0x1.e8e009ca8f2fcp-17, -0x1.642312741e464p-21,
    0x1.b9302a873b418p-25, -0x1.8922f957a2ee5p-28, 0x1.c92e10eca7a1fp-31, -0x1.45d24c1553bd2p-33,
    0x1.10c4a3a301031p-35, -0x1.069f2d4690721p-37, 0x1.1882a11593935p-39, -0x1.1528cc57b7785p-41,
    0x1.4af02165f836p-43, -0x1.e37e7306908bap-44, 0x1.6f044f2b5027dp-45};
constant double bessel_i1_near_double[] = {
    0x1.c99a2671f47dfp-3, -0x1.03d4dd52b7f5ep-3, 0x1.885bc61f8425bp-4, -0x1.1f77d2a92691ap-4, 0x1.6fdff3f020ba2p-5,
    -0x1.5d7af1409779fp-6, 0x1.274446e70208ep-9, 0x1.52dee5d119ff3p-7, -0x1.0a53d3862ff82p-6, 0x1.14af66309781p-6,
    -0x1.d6b9edcdd09bep-7, 0x1.5d67cf2f4cca2p-7, -0x1.d1ecf03c597e5p-8, 0x1.1baf1cf56658ap-8, -0x1.3ee3c5f9dc7p-9,
    0x1.4d7e4375bf1eep-10, -0x1.466bf7d66db94p-11, 0x1.2c78d2de8d8f1p-12, -0x1.05242d621761dp-13,
    0x1.ae21edf296ca8p-15, -0x1.50e83ee649626p-16, 0x1.f652c67ff97ep-18, -0x1.6352976879204p-19,
    0x1.e5315789fbb7fp-21, -0x1.4bad619e96e7dp-22, 0x1.9cfc8a84d972cp-24, -0x1.7e7b02c1bf062p-26,
    0x1.ce2bf495aee4ep-28, -0x1.0bd7c6b23baeep-28, 0x1.1922a8835905bp-30};
constant double bessel_i1_far_double[] = {
    0x1.2231f2d630e25p+10, -0x1.d102602dc2b93p+4, -0x1.4e9bd33a70875p-1, -0x1.6f3dcf08371a1p-5,
    -0x1.6677d945c6c9cp-8, -0x1.103e1a45d14a5p-10, -0x1.389dbebac033p-12, -0x1.0d9d4448f8f01p-13,
    -0x1.2440831ab470ap-14, -0x1.a60af4b4f6281p-16, 0x1.50f4eaca86a8p-16, 0x1.604c7d7fc8fabp-15,
    0x1.2a41415a996bap-16, -0x1.86f18f4ff0f3p-16, -0x1.893ef8396be9ep-16, 0x1.7c7960602ae49p-17,
    0x1.36398820e087ap-16, -0x1.8e83283b07d04p-18, -0x1.776f8cd803ceep-17, 0x1.acb9bbebdbcd4p-19,
    0x1.4ba238d889433p-18, -0x1.7ffe5d436955cp-20, -0x1.74955fd1d145dp-20, 0x1.c5c23cf242ba2p-22,
    0x1.88cb9aa3206e9p-23, -0x1.f7db22e65217bp-25};
#endif
