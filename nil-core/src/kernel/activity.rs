//! What athletes do for brands.

use super::vocabulary::vocabulary;

vocabulary! {
    /// What is to be done.
    Activity {
        /// A post.
        SocialPost = "social_post",
        /// A story.
        SocialStory = "social_story",
        /// A reel or short video.
        SocialReelVideo = "social_reel_video",
        /// Content for the brand's own channels.
        UgcContent = "ugc_content",
        /// Being there.
        Appearance = "appearance",
        /// Signing.
        Autograph = "autograph",
        /// Being photographed.
        PhotoShoot = "photo_shoot",
        /// A personal video message.
        VideoShoutout = "video_shoutout",
        /// A camp or clinic.
        CampClinic = "camp_clinic",
        /// A lesson.
        Lesson = "lesson",
        /// A talk.
        Speaking = "speaking",
        /// A podcast or an interview.
        PodcastInterview = "podcast_interview",
        /// Merchandise.
        Merchandise = "merchandise",
        /// Licensing against a royalty.
        LicensingRoyalty = "licensing_royalty",
        /// Affiliate links or codes.
        Affiliate = "affiliate",
        /// Trying a product.
        ProductSeeding = "product_seeding",
        /// Standing for the brand.
        BrandAmbassador = "brand_ambassador",
        /// Licensing as one of a group.
        GroupLicensing = "group_licensing",
        /// A good cause.
        Charity = "charity",
        /// Anything else.
        Other = "other",
    }
}
